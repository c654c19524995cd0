#include "copies.h"

#include "body.h"
#include "read.h"

#include <string.h>

// The characters from `start` to `end`.
static void say_part(lin_ptx_lines *lines, const char *text, uint32_t start, uint32_t end) {
  lin_ptx_say(lines, "%.*s", (int)(end - start), text + start);
}

// `.visible .entry` of the input, or .func; then the signature, up to `end`, with another name.
static void say_signature(lin_ptx_lines *lines, const lin_ptx_draft *made, const char *name,
                          uint32_t end) {
  const char *text = made->module.text;
  const uint32_t behind = made->place.named + (uint32_t)strlen(made->place.name);
  if (made->place.is_kernel)
    say_part(lines, made->input->text, made->linkage, made->start);
  else
    lin_ptx_say(lines, ".func");
  say_part(lines, text, 0, made->place.named);
  lin_ptx_say(lines, "%s", name);
  say_part(lines, text, behind, end);
}

void lin_ptx_say_declaration(lin_ptx_lines *lines, const lin_ptx_draft *made, const char *name) {
  say_signature(lines, made, name, made->place.body - 1);
  lin_ptx_say(lines, ";\n");
}

// What stands from place `at` on, with other names for what it calls.
static void say_body(lin_ptx_lines *lines, const lin_ptx_draft *made, uint32_t at,
                     lin_ptx_renamed renamed, void *context) {
  lin_arena arena = {0};
  const lin_ptx_body *body = lin_ptx_body_read(&arena, &made->module, &made->place);
  const char *text = made->module.text;
  for (uint32_t i = 0; body->refused == NULL && i < body->count; i++) {
    if (lin_ptx_meaning(body, i)->flow != LIN_PTX_CALL)
      continue;
    const lin_ptx_token callee = lin_ptx_callee(body, i);
    const char *other = callee.start == callee.end
                            ? NULL
                            : renamed(context, text + callee.start, callee.end - callee.start);
    if (other == NULL)
      continue;
    say_part(lines, text, at, callee.start);
    lin_ptx_say(lines, "%s", other);
    at = callee.end;
  }
  say_part(lines, text, at, made->place.end + 1);
  lin_arena_release(&arena);
}

void lin_ptx_say_copy(lin_ptx_lines *lines, const lin_ptx_draft *made, const char *name,
                      lin_ptx_renamed renamed, void *context) {
  say_signature(lines, made, name, made->place.body);
  say_body(lines, made, made->place.body, renamed, context);
  lin_ptx_say(lines, "\n");
}

void lin_ptx_say_own(lin_ptx_lines *lines, const lin_ptx_draft *made, lin_ptx_renamed renamed,
                     void *context) {
  say_body(lines, made, 0, renamed, context);
}

void lin_ptx_say_text(lin_ptx_lines *lines, const char *linkage, const char *name,
                      const char *text) {
  lin_ptx_say(lines, "%s.global .align 1 .b8 %s[%zu] = {", linkage, name, strlen(text) + 1);
  for (; *text != '\0'; text++)
    lin_ptx_say(lines, "%d, ", *text);
  lin_ptx_say(lines, "0};\n");
}
