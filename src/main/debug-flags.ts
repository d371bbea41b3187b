/** Switches by which another program could read this one's memory or redirect its requests. */
const refused =
  /^--(inspect|remote-debugging|js-flags|host-rules|host-resolver-rules|load-extension)/

/** The first refused switch of a command line; null when there is none. */
export function findRefusedFlag(commandLine: readonly string[]): string | null {
  return commandLine.find((argument) => refused.test(argument)) ?? null
}
