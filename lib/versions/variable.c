#include "versions/variable.h"

#include "versions/excepted.h"

#include <stdbool.h>
#include <string.h>

static const char name[] = "versions=";

void lin_variable_normalize(char *list) {
  bool of_versions = false;
  lin_excepted_clean(list);
  for (char *at = list; *at != '\0'; at++)
    *at = *at == ' ' ? ';' : *at;
  for (char *at = list; *at != '\0';) {
    const size_t length = strcspn(at, ",;");
    const bool is_option = memchr(at, '=', length) != NULL;
    if (at > list && at[-1] != ';')
      at[-1] = of_versions && !is_option ? ':' : ';';
    else
      of_versions = false;
    if (is_option)
      of_versions = strncmp(at, name, sizeof name - 1) == 0;
    at += length + (at[length] != '\0');
  }
}
