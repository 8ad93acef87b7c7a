/* Debian's Lua asks for the name of the machine: it is part of the path of shared objects, which do
 * not exist here. */
#pragma once
#define DEB_HOST_MULTIARCH "wasm32-emscripten"
