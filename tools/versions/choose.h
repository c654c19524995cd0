// Choosing at launch (launch_through of preload/launch.h).
#ifndef LIN_TOOLS_VERSIONS_CHOOSE_H
#define LIN_TOOLS_VERSIONS_CHOOSE_H

// The program comes by, and the times that are known by now are looked at. Any thread; where that
// would disturb another one, nothing is done. O(1) where no launch was timed.
void choose_collect(void);

#endif
