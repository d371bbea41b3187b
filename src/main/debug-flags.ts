/** Switches by which another program could read this one's memory or lead its requests astray. */
const refused =
  /^--(inspect|remote-debugging|js-flags|host-rules|host-resolver-rules|load-extension)/

/** Ends a packaged app that was started with one of them; a checkout is for debugging. */
export function refuseDebugFlags(isPackaged: boolean, commandLine: readonly string[]): void {
  const flag = isPackaged ? findRefusedFlag(commandLine) : null
  if (flag === null) return
  process.stderr.write(`Modelport does not start with ${flag}.\n`)
  process.exit(1)
}

/** The first refused switch of a command line; null when there is none. */
export function findRefusedFlag(commandLine: readonly string[]): string | null {
  return commandLine.find((argument) => refused.test(argument)) ?? null
}
