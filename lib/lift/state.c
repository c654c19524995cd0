#include "state.h"

bool lin_lift_refuse(lin_lifting *l, uint32_t place, const char *reason) {
  if (l->refused == NULL) {
    l->refused = reason;
    l->refused_at = place;
  }
  return false;
}
