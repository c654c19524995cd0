#include "silence.h"

#include "settings.h"

#include <stdatomic.h>

static atomic_bool is_kept;
static _Thread_local bool is_kept_here;

bool silence_is_kept(void) {
  return settings_get()->mode == VERSIONS_OFF || is_kept_here ||
         atomic_load_explicit(&is_kept, memory_order_relaxed);
}

void silence_keep(void) { atomic_store(&is_kept, true); }

void silence_keep_here(bool keep) { is_kept_here = keep; }
