interface CurlTarget {
  /** The address of the endpoint, `https://localhost:6778`. */
  url: string
  /** The file of Modelport's certificate authority. */
  caFile: string
  routerId: string
  /** The body that was sent, as JSON; null where it is not stored. */
  body: string | null
}

const greeting = '{"messages": [{"role": "user", "content": "Hello"}]}'

/** A request as a command for a POSIX shell. It takes the key from the environment. */
export function curlOf({ url, caFile, routerId, body }: CurlTarget): string {
  return [
    `curl --cacert ${shellWord(caFile)}`,
    `${url}/api/router/${routerId}/v1/chat/completions`,
    '-H "Authorization: Bearer $MODELPORT_API_KEY"',
    '-H "Content-Type: application/json"',
    `-d ${shellWord(body ?? greeting)}`,
  ].join(' \\\n  ')
}

/** A text as one word of a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
