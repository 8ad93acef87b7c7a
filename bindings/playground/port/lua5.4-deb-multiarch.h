/* Debian's Lua asks for the name of the machine: it is part of the path of shared objects, which
 * there are none of. */
#pragma once
#define DEB_HOST_MULTIARCH "wasm32-emscripten"
