// Runs an application of bench/threads on a GPU with its threads in several orders, beside what
// linearize/threads.h predicts of each.
//
//   ordered pack BLOCKS VECTORS.csv PROFILE
//   ordered order HOW PROFILE ORDER
//   ordered [--predict] KERNEL WORDS ROUNDS COPIES PROFILE COUNTS CUBIN
//
// pack makes a PROFILE of what `linearize-simt --vectors` wrote. BLOCKS is a text, a line for each
// block of the kernel in reverse post-order: its name, its latency, the number of the block whose
// branch leads to it, or -1, and of the one around it (linearize_bbv_passes), or -1. A profile is
// that text, an empty line, the number of threads, and the blocks' columns: a byte says of how many
// bytes the entries are, 1, 2 or 4; then those of all threads.
//
// order writes the order that HOW makes, 0 to 2: Sorting, Greedy, Greedy-Max; a word for each
// thread.
//
// The last form launches a grid of COPIES times the profile's threads: the work of all of them is
// done so often, each time in the same order, by the argument `order` alone. A grid that fits onto
// the GPU at once takes as long as its slowest warp; one of many times as many blocks shows what a
// GPU can do in the time. It prints a line for each order, with tabs: its name, median ms on the
// GPU (of the order `none` twice), BBV-weighted, BBV-weighted-scheduled with one thread block on a
// multiprocessor at a time and with as many as fit, the first of these corrected, divergent warps,
// divergent branches, what was wrong. COUNTS is what `linearize-simt --csv --blocks` counted of the
// threads as they are, by which (2) is corrected for all orders. With --predict it needs no GPU,
// prints 0 for times, and takes one of 132 multiprocessors (the H200's) and 16 blocks.
//
// The CPU's reference is the same file compiled with -x c++ and linked into this program.
#include "linearize/threads.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Kernel = void (*)(const unsigned *, unsigned, unsigned, unsigned *, unsigned);
using Words = std::vector<unsigned>;

constexpr unsigned Block = 128;
constexpr int Repeats = 21;      // medians are of so many runs, the orders taking turns
constexpr float WantedMs = 1.0f; // a run is as many launches as take so long
constexpr unsigned MostLaunches = 200;
constexpr unsigned MostCopies = 16; // that are predicted: what is saved of more is the same

[[noreturn]] void die(const std::string &what) {
  std::fprintf(stderr, "ordered: %s\n", what.c_str());
  std::exit(1);
}

void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    die(std::string(what) + ": " + cudaGetErrorString(error));
}

struct Profile {
  std::vector<std::string> names;
  std::vector<double> latency;
  std::vector<uint32_t> branchOf, around;
  size_t numThreads = 0;
  std::vector<uint32_t> vectors; // of a thread: one behind the other

  size_t numBlocks() const { return names.size(); }
};

void readBlocks(std::istream &file, Profile *profile) {
  for (std::string line; std::getline(file, line) && !line.empty();) {
    std::istringstream words(line);
    std::string name;
    double latency;
    long branch, around;
    if (!(words >> name >> latency >> branch >> around))
      die("'" + line + "' is not NAME LATENCY BRANCH AROUND");
    profile->names.push_back(name);
    profile->latency.push_back(latency);
    profile->branchOf.push_back(branch < 0 ? UINT32_MAX : uint32_t(branch));
    profile->around.push_back(around < 0 ? UINT32_MAX : uint32_t(around));
  }
}

int pack(const char *blocks, const char *vectors, const char *target) {
  Profile profile;
  std::ifstream blockFile(blocks), file(vectors);
  readBlocks(blockFile, &profile);
  std::map<std::string, size_t> number;
  for (size_t i = 0; i < profile.numBlocks(); i++)
    number[profile.names[i]] = i;
  std::string line;
  std::getline(file, line); // the columns' names
  while (std::getline(file, line)) {
    size_t first = line.find(','), second = line.find(',', first + 1), last = line.rfind(',');
    auto found = number.find(line.substr(second + 1, last - second - 1));
    if (last == std::string::npos || found == number.end())
      die(std::string(vectors) + ": no block of " + blocks + ": '" + line + "'");
    size_t thread = std::strtoul(line.c_str(), nullptr, 10);
    profile.numThreads = std::max(profile.numThreads, thread + 1);
    profile.vectors.resize(profile.numThreads * profile.numBlocks());
    profile.vectors[thread * profile.numBlocks() + found->second] =
        uint32_t(std::strtoul(line.c_str() + last + 1, nullptr, 10));
  }
  std::ofstream out(target, std::ios::binary);
  for (size_t b = 0; b < profile.numBlocks(); b++)
    out << profile.names[b] << ' ' << profile.latency[b] << ' ' << int(profile.branchOf[b]) << ' '
        << int(profile.around[b]) << '\n';
  out << '\n' << profile.numThreads << '\n';
  for (size_t b = 0; b < profile.numBlocks(); b++) {
    uint32_t most = 0;
    for (size_t t = 0; t < profile.numThreads; t++)
      most = std::max(most, profile.vectors[t * profile.numBlocks() + b]);
    unsigned width = most < 256 ? 1 : most < 65536 ? 2 : 4;
    out.put(char(width));
    for (size_t t = 0; t < profile.numThreads; t++)
      out.write(reinterpret_cast<char *>(&profile.vectors[t * profile.numBlocks() + b]), width);
  }
  return out.flush() ? 0 : 1;
}

Profile readProfile(const char *path) {
  Profile profile;
  std::ifstream file(path, std::ios::binary);
  readBlocks(file, &profile);
  file >> profile.numThreads;
  file.get();
  profile.vectors.resize(profile.numThreads * profile.numBlocks());
  std::vector<char> column;
  for (size_t b = 0; b < profile.numBlocks(); b++) {
    size_t width = size_t(file.get());
    if (!file || width > 4)
      die(std::string(path) + " is no profile");
    column.resize(width * profile.numThreads);
    file.read(column.data(), long(column.size()));
    for (size_t t = 0; t < profile.numThreads; t++)
      std::memcpy(&profile.vectors[t * profile.numBlocks() + b], &column[width * t], width);
  }
  if (!file || profile.numThreads == 0)
    die(std::string(path) + " is no profile, or not all of one");
  return profile;
}

// Of comma-separated values, none of which is quoted.
std::vector<std::string> fields(const std::string &line) {
  std::vector<std::string> all;
  std::istringstream text(line);
  for (std::string field; std::getline(text, field, ',');)
    all.push_back(field);
  return all;
}

Words randomWords(size_t count) {
  Words words(count);
  unsigned long long state = 1;
  for (unsigned &word : words) {
    unsigned long long z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    word = unsigned(z >> 32);
  }
  return words;
}

struct Order {
  const char *name;
  Words order;        // of one copy
  unsigned *onDevice; // of all
  std::vector<float> times;
  const char *fault;
};

struct Device {
  cudaKernel_t kernel;
  unsigned *words, *out, mask, rounds, threads, places; // places: of all copies
  cudaEvent_t start, stop;

  Device(const char *name, const char *cubin, const Words &input, unsigned roundsWanted,
         unsigned numThreads, unsigned copies)
      : mask(unsigned(input.size()) - 1), rounds(roundsWanted), threads(numThreads),
        places(numThreads * copies) {
    cudaLibrary_t library;
    check(cudaLibraryLoadFromFile(&library, cubin, nullptr, nullptr, 0, nullptr, nullptr, 0),
          cubin);
    check(cudaLibraryGetKernel(&kernel, library, name), name);
    check(cudaMalloc(&words, input.size() * sizeof *words), "cudaMalloc");
    check(cudaMalloc(&out, threads * sizeof *out), "cudaMalloc");
    check(cudaMemcpy(words, input.data(), input.size() * sizeof *words, cudaMemcpyHostToDevice),
          "copy");
    check(cudaEventCreate(&start), "cudaEventCreate");
    check(cudaEventCreate(&stop), "cudaEventCreate");
  }

  // Milliseconds of a launch, the mean of so many.
  float run(const Order &order, unsigned launches) {
    unsigned *which = order.onDevice;
    void *arguments[] = {&words, &mask, &rounds, &out, &places, &which};
    check(cudaEventRecord(start), "cudaEventRecord");
    for (unsigned i = 0; i < launches; i++)
      check(cudaLaunchKernel(reinterpret_cast<void *>(kernel), dim3((places + Block - 1) / Block),
                             dim3(Block), arguments, 0, nullptr),
            "launch");
    check(cudaEventRecord(stop), "cudaEventRecord");
    check(cudaEventSynchronize(stop), "kernel");
    float ms;
    check(cudaEventElapsedTime(&ms, start, stop), "cudaEventElapsedTime");
    return ms / float(launches);
  }

  // Whether all of the output is the reference's.
  bool isRight(const Order &order, const Words &expected) {
    check(cudaMemset(out, 0xa5, threads * sizeof *out), "cudaMemset");
    run(order, 1);
    Words got(threads);
    check(cudaMemcpy(got.data(), out, threads * sizeof *out, cudaMemcpyDeviceToHost), "copy");
    return got == expected;
  }
};

void measure(Device *device, std::vector<Order> *orders, const Words &expected) {
  float slowest = 0;
  for (Order &order : *orders) {
    size_t bytes = order.order.size() * sizeof(unsigned);
    check(cudaMalloc(&order.onDevice, device->places * sizeof(unsigned)), "cudaMalloc");
    for (size_t done = 0; done < device->places; done += order.order.size())
      check(cudaMemcpy(order.onDevice + done, order.order.data(), bytes, cudaMemcpyHostToDevice),
            "copy");
    if (!device->isRight(order, expected))
      order.fault = "WRONG";
    slowest = std::max(slowest, device->run(order, 1));
  }
  unsigned launches = std::clamp(unsigned(WantedMs / slowest) + 1, 1u, MostLaunches);
  for (int i = 0; i < Repeats; i++)
    for (size_t n = 0; n < orders->size(); n++) { // back and forth
      Order &order = (*orders)[i % 2 ? orders->size() - 1 - n : n];
      order.times.push_back(device->run(order, launches));
    }
}

Words makeOrder(const Profile &profile, int how) {
  Words order(profile.numThreads);
  if (linearize_regroup(linearize_regrouping(how), profile.vectors.data(), profile.numThreads,
                        profile.numBlocks(), profile.latency.data(), 32, order.data()) != 0)
    die("linearize_regroup failed");
  return order;
}

int writeOrder(const Profile &profile, int how, const char *target) {
  Words order = makeOrder(profile, how);
  std::ofstream file(target, std::ios::binary);
  file.write(reinterpret_cast<char *>(order.data()), long(order.size() * sizeof order[0]));
  return file.flush() ? 0 : 1;
}

// The vectors of all copies, in this order.
std::vector<uint32_t> vectorsOf(const Profile &profile, const Order &order, unsigned copies) {
  size_t numBlocks = profile.numBlocks();
  std::vector<uint32_t> vectors;
  vectors.reserve(profile.vectors.size() * copies);
  for (unsigned copy = 0; copy < copies; copy++)
    for (unsigned thread : order.order)
      vectors.insert(vectors.end(), &profile.vectors[thread * numBlocks],
                     &profile.vectors[thread * numBlocks] + numBlocks);
  return vectors;
}

// The correction of (2) by what was counted of the threads as they are. COUNTS may have other rows,
// of other kernels and sums.
std::vector<double> learnCorrection(const Profile &profile, const char *path) {
  std::vector<double> counted(profile.numBlocks()), correction(profile.numBlocks());
  std::ifstream file(path);
  std::string line;
  std::vector<std::string> columns = fields((std::getline(file, line), line));
  auto name = std::find(columns.begin(), columns.end(), "block") - columns.begin(),
       entries = std::find(columns.begin(), columns.end(), "block_entries") - columns.begin();
  if (size_t(std::max(name, entries)) >= columns.size())
    die(std::string(path) + " is no table of blocks");
  while (std::getline(file, line)) {
    std::vector<std::string> row = fields(line);
    auto found = std::find(profile.names.begin(), profile.names.end(), row.at(size_t(name)));
    if (found != profile.names.end())
      counted[size_t(found - profile.names.begin())] = std::stod(row.at(size_t(entries)));
  }
  if (linearize_bbv_correction(profile.vectors.data(), profile.numThreads, profile.numBlocks(),
                               profile.around.data(), counted.data(), nullptr, Block,
                               correction.data()) != 0)
    die("linearize_bbv_correction failed");
  return correction;
}

// BBV-weighted-scheduled of (2) corrected, one thread block on a multiprocessor at a time: they are
// dealt as threads with so many cycles.
double scheduledCorrected(const Profile &profile, const Order &order,
                          const std::vector<double> &correction, unsigned copies, unsigned sms) {
  size_t numBlocks = profile.numBlocks();
  std::vector<double> mean(numBlocks), most(numBlocks), passes(numBlocks);
  std::vector<uint32_t> cycles, all;
  for (size_t first = 0; first < profile.numThreads; first += Block) {
    std::vector<uint32_t> vectors;
    for (size_t i = first; i < first + Block; i++) {
      auto vector = profile.vectors.begin() + long(order.order[i] * numBlocks);
      vectors.insert(vectors.end(), vector, vector + long(numBlocks));
    }
    if (linearize_bbv_passes(vectors.data(), Block, numBlocks, profile.around.data(),
                             correction.data(), nullptr, Block, mean.data(), most.data(),
                             passes.data()) != 0)
      die("linearize_bbv_passes failed");
    double sum = std::inner_product(passes.begin(), passes.end(), profile.latency.begin(), 0.5);
    cycles.push_back(uint32_t(std::min(sum, 4294967295.0)));
  }
  for (unsigned copy = 0; copy < copies; copy++)
    all.insert(all.end(), cycles.begin(), cycles.end());
  const double cycle = 1;
  return linearize_bbv_weighted_scheduled(all.data(), all.size(), 1, &cycle, nullptr, 1, sms, 1);
}

int orderedRuns(bool predicts, const char *name, Words words, unsigned rounds, unsigned copies,
                Profile profile, const char *counts, const char *cubin) {
  size_t numThreads = profile.numThreads, numBlocks = profile.numBlocks();
  const double *latency = profile.latency.data();
  if (copies == 0 || numThreads % Block != 0)
    die("copies are from 1, and thread blocks full");
  Words asTheyAre(numThreads);
  std::iota(asTheyAre.begin(), asTheyAre.end(), 0u);
  std::vector<Order> orders = {{"none", asTheyAre, nullptr, {}, ""},
                               {"none", asTheyAre, nullptr, {}, ""},
                               {"Sorting", makeOrder(profile, 0), nullptr, {}, ""},
                               {"Greedy", makeOrder(profile, 1), nullptr, {}, ""},
                               {"Greedy-Max", makeOrder(profile, 2), nullptr, {}, ""}};
  int multiprocessors = 132, blocks = 16;
  if (!predicts) {
    auto reference = reinterpret_cast<Kernel>(dlsym(RTLD_DEFAULT, name));
    if (!reference)
      die(std::string("no reference of ") + name + " in this program");
    Words expected(numThreads + 1); // the references of bench/ write one word more, or don't
    reference(words.data(), unsigned(words.size()) - 1, rounds, expected.data(),
              unsigned(numThreads));
    expected.pop_back();
    Device device(name, cubin, words, rounds, unsigned(numThreads), copies);
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "device");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
              &blocks, reinterpret_cast<const void *>(device.kernel), Block, 0),
          "occupancy");
    measure(&device, &orders, expected);
  }
  copies = std::min(copies, MostCopies);
  std::vector<double> correction = learnCorrection(profile, counts);
  for (Order &order : orders) {
    std::vector<uint32_t> vectors = vectorsOf(profile, order, copies);
    std::sort(order.times.begin(), order.times.end());
    std::printf("%s\t%.6f\t%.9g\t%.9g\t%.9g\t%.9g\t%.4f\t%.9g\t%s\n", order.name,
                predicts ? 0.0 : double(order.times[order.times.size() / 2]),
                linearize_bbv_weighted(vectors.data(), numThreads * copies, numBlocks, latency,
                                       nullptr, Block, unsigned(multiprocessors)),
                linearize_bbv_weighted_scheduled(vectors.data(), numThreads * copies, numBlocks,
                                                 latency, nullptr, Block, unsigned(multiprocessors),
                                                 1),
                linearize_bbv_weighted_scheduled(vectors.data(), numThreads * copies, numBlocks,
                                                 latency, nullptr, Block, unsigned(multiprocessors),
                                                 unsigned(blocks)),
                scheduledCorrected(profile, order, correction, copies, unsigned(multiprocessors)),
                linearize_divergent_warps(vectors.data(), numThreads, numBlocks, nullptr, Block),
                linearize_divergent_branches(vectors.data(), numThreads, numBlocks,
                                             profile.branchOf.data(), nullptr, Block),
                order.fault);
  }
  return std::any_of(orders.begin(), orders.end(), [](Order &o) { return o.fault[0] != 0; });
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 5 && std::strcmp(argv[1], "pack") == 0)
    return pack(argv[2], argv[3], argv[4]);
  if (argc == 5 && std::strcmp(argv[1], "order") == 0)
    return writeOrder(readProfile(argv[3]), std::atoi(argv[2]), argv[4]);
  bool predicts = argc > 1 && std::strcmp(argv[1], "--predict") == 0;
  argv += predicts;
  if (argc - predicts != 8)
    die("usage: ordered [--predict] KERNEL WORDS ROUNDS COPIES PROFILE COUNTS CUBIN, ordered pack "
        "BLOCKS "
        "VECTORS.csv PROFILE, ordered order HOW PROFILE ORDER");
  return orderedRuns(predicts, argv[1], randomWords(std::strtoul(argv[2], nullptr, 10)),
                     unsigned(std::strtoul(argv[3], nullptr, 10)),
                     unsigned(std::strtoul(argv[4], nullptr, 10)), readProfile(argv[5]), argv[6],
                     argv[7]);
}
