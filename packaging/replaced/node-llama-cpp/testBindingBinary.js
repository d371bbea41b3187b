/**
 * Replaces node-llama-cpp's file of this name in a package. The original loads each binary in a child process first,
 * which a package cannot start: the fuse `runAsNode` is off. The model's own process may crash instead, and is then
 * started again.
 */
export async function testBindingBinary() {
  return true
}
