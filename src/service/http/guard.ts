/** Whether a request is addressed to this endpoint: protection against DNS rebinding. */

/** @param names  the endpoint's host names; default ports may be omitted */
export function isOurHost(
  host: string | undefined,
  port: number | undefined,
  names: readonly string[],
): boolean {
  const asked = host?.toLowerCase()
  return names.some((name) => {
    const known = name.toLowerCase()
    return asked === `${known}:${port}` || (asked === known && isDefault(port))
  })
}

function isDefault(port: number | undefined): boolean {
  return port === 443 || port === 80
}
