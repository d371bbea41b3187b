/** A path with `~` in place of the home folder. */
export function withoutHome(path: string, homeDir: string): string {
  const rest = path.slice(homeDir.length)
  const isInside = homeDir !== '' && path.startsWith(homeDir) && /^[/\\]/.test(rest)
  return isInside ? `~${rest}` : path
}
