#define _POSIX_C_SOURCE 200809L

#include "standin.h"

#include <stdlib.h>
#include <string.h>

typedef enum rule_kind { TIME, FAIL, THREADS, PART, COUNTER } rule_kind;

typedef struct rule {
  rule_kind about;
  char name[256], kernel[256];
  uint64_t value, from, to;
  uint64_t calls, failed; // so far
} rule;

enum { MOST_RULES = 64 };

settings driver_settings = {.memory = (uint64_t)1 << 30, .call = 1000, .devices = 1};
static char log_name[1024];
static rule rules[MOST_RULES];
static uint32_t num_rules;

static _Noreturn void die(const char *line) {
  fprintf(stderr, "stand-in: $STANDIN: what is '%s'?\n", line);
  abort();
}

static void add(rule_kind about, const char *line, const char *form) {
  rule *r = &rules[num_rules++];
  *r = (rule){.about = about, .to = UINT64_MAX};
  unsigned long long value = 0, from = 0, to = UINT64_MAX;
  if (num_rules == MOST_RULES || sscanf(line, form, r->name, &value, &from, &to) < 2)
    die(line);
  r->value = value;
  r->from = from;
  r->to = to;
  char *slash = strchr(r->name, '/');
  if (slash == NULL)
    return;
  memcpy(r->kernel, slash + 1, strlen(slash + 1) + 1);
  *slash = '\0';
}

static bool number(const char *line, const char *name, uint64_t *value) {
  size_t length = strlen(name);
  if (strncmp(line, name, length) != 0 || line[length] != ' ')
    return false;
  *value = strtoull(line + length, NULL, 0);
  return true;
}

static void read_line(char *line) {
  settings *s = &driver_settings;
  uint64_t value = 0;
  if (strncmp(line, "time ", 5) == 0)
    add(TIME, line, "time %255s %llu %llu");
  else if (strncmp(line, "fail ", 5) == 0)
    add(FAIL, line, "fail %255s %llu %llu %llu");
  else if (strncmp(line, "threads ", 8) == 0)
    add(THREADS, line, "threads %255s %llu");
  else if (strncmp(line, "part ", 5) == 0)
    add(PART, line, "part %255s %llu");
  else if (strncmp(line, "counter ", 8) == 0)
    add(COUNTER, line, "counter %255s %llu");
  else if (number(line, "memory", &s->memory) || number(line, "call", &s->call) ||
           number(line, "elapsed", &s->elapsed))
    return;
  else if (number(line, "devices", &value))
    s->devices = (uint32_t)value;
  else if (strncmp(line, "noise ", 6) == 0)
    s->noise = strtod(line + 6, NULL) / 100;
  else if (strcmp(line, "mps") == 0)
    s->mps = true;
  else if (strcmp(line, "serial") == 0)
    s->serial = true;
  else if (strcmp(line, "shared") == 0)
    s->shared = true;
  else if (strcmp(line, "idle") == 0)
    s->idle = true;
  else if (strcmp(line, "reuse") == 0)
    s->reuse = true;
  else if (strcmp(line, "trace") == 0)
    s->trace = true;
  else if (strncmp(line, "log ", 4) == 0)
    snprintf(log_name, sizeof log_name, "%s", line + 4);
  else if (line[0] != '\0')
    die(line);
}

void settings_read(void) {
  const char *name = getenv("STANDIN");
  FILE *file = name == NULL ? NULL : fopen(name, "r");
  char line[1024];
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    read_line(line);
  }
  if (file != NULL)
    fclose(file);
}

void settings_open_log(void) {
  if (driver_settings.log == NULL && log_name[0] != '\0')
    driver_settings.log = fopen(log_name, "w");
}

uint64_t settings_time(const char *kernel, uint64_t launch) {
  uint64_t time = 0;
  for (uint32_t i = 0; i < num_rules; i++)
    if (rules[i].about == TIME && strcmp(rules[i].name, kernel) == 0 && launch >= rules[i].from)
      time = rules[i].value;
  return time;
}

static uint64_t value_of(rule_kind about, const char *kernel, uint64_t otherwise) {
  for (uint32_t i = 0; i < num_rules; i++)
    if (rules[i].about == about && strcmp(rules[i].name, kernel) == 0)
      return rules[i].value;
  return otherwise;
}

uint32_t settings_threads(const char *kernel) { return (uint32_t)value_of(THREADS, kernel, 1024); }

uint64_t settings_part(const char *kernel) { return value_of(PART, kernel, 0); }

uint32_t settings_counter(const char *kernel) {
  return (uint32_t)value_of(COUNTER, kernel, NO_COUNTER);
}

void settings_tell(FILE *log) {
  for (uint32_t i = 0; i < num_rules; i++)
    if (rules[i].about == FAIL)
      fprintf(log, "%s%s%s: %llu calls, %llu failed\n", rules[i].name,
              rules[i].kernel[0] == '\0' ? "" : "/", rules[i].kernel,
              (unsigned long long)rules[i].calls, (unsigned long long)rules[i].failed);
}

int settings_failure(const char *function, const char *kernel) {
  for (uint32_t i = 0; i < num_rules; i++) {
    rule *r = &rules[i];
    if (r->about != FAIL || strcmp(r->name, function) != 0 ||
        (r->kernel[0] != '\0' && (kernel == NULL || strcmp(r->kernel, kernel) != 0)))
      continue;
    r->calls++;
    if (r->calls < r->from || r->calls > r->to)
      continue;
    r->failed++;
    return (int)r->value;
  }
  return OK;
}
