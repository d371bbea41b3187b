/** Ways to name another host than this computer, or this computer by another name. */

/** @returns the request line's target and the header lines of each variant */
export function hostVariants(port: number): { target: string; headers: string[] }[] {
  const spellings = [
    'evil.example',
    `evil.example:${port}`,
    `localhost.evil.example:${port}`,
    `localhost.:${port}`,
    `LOCALHOST.:${port}`,
    `127.0.0.1.evil.example:${port}`,
    `127.0.0.1.nip.io:${port}`,
    `localtest.me:${port}`,
    `localhost.localdomain:${port}`,
    `ip6-localhost:${port}`,
    `metadata.google.internal:${port}`,
    `169.254.169.254:${port}`,
    `192.168.0.1:${port}`,
    `10.0.0.1:${port}`,
    `0.0.0.0:${port}`,
    `0:${port}`,
    `127.1:${port}`,
    `127.0.0.2:${port}`,
    `2130706433:${port}`,
    `0x7f.0.0.1:${port}`,
    `0177.0.0.1:${port}`,
    `[::]:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `[0:0:0:0:0:0:0:1]:${port}`,
    `::1:${port}`,
    `localhost:${port + 1}`,
    `localhost:0${port}`,
    'localhost:1',
    `localhost:${port}@evil.example`,
    `user@localhost:${port}`,
    `localhost:${port},evil.example`,
    `evil.example,localhost:${port}`,
    `localhost:${port}#evil.example`,
    `localhost:${port}/evil.example`,
    `localhost%00:${port}`,
    '',
  ]
  const local = `host: localhost:${port}`
  const foreign = `host: evil.example:${port}`
  return [
    ...spellings.map((host) => ({ target: '/healthz', headers: [`host: ${host}`] })),
    { target: '/healthz', headers: [] },
    { target: '/healthz', headers: [local, foreign] },
    { target: '/healthz', headers: [foreign, local] },
    { target: `https://evil.example:${port}/healthz`, headers: [local] },
  ]
}
