#include "known.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace {

const MCSubtargetInfo *infoOf(LLVMTargetMachineRef Machine) {
  return reinterpret_cast<TargetMachine *>(Machine)->getMCSubtargetInfo();
}

} // namespace

bool lin_lift_knows_target(LLVMTargetMachineRef Machine, const char *Name) {
  return infoOf(Machine)->isCPUStringValid(Name);
}

unsigned lin_lift_newest_version(LLVMTargetMachineRef Machine, unsigned Most) {
  unsigned Newest = 0;
  for (const SubtargetFeatureKV &Feature : infoOf(Machine)->getAllProcessorFeatures()) {
    StringRef Name = Feature.Key;
    unsigned Version;
    if (Name.consume_front("ptx") && !Name.getAsInteger(10, Version) && Version <= Most &&
        Version > Newest)
      Newest = Version;
  }
  return Newest;
}
