/** A calling program without its version, so that an update is no other program. */
const browser = 'web browser'
const unnamedProgram = 'unnamed program'
const mostLetters = 60

/** @param userAgent  null when the request had none */
export function programOf(userAgent: string | null): string {
  if (userAgent === null) return unnamedProgram
  if (userAgent.startsWith('Mozilla/5.0')) return browser
  const [product = '', next = ''] = userAgent.trim().split(/\s+/, 2)
  // OpenAI's and Anthropic's libraries write a space before the version: `OpenAI/Python 1.2.3`.
  const name = /^v?\d/.test(next) ? product.replace(/^Async/, '') : product.replace(/\/.*$/, '')
  const plain = name.slice(0, mostLetters).replaceAll(/[^\x21-\x7e]/g, '?')
  return plain === '' ? unnamedProgram : plain
}
