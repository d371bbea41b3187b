/** The server of the models' files: Hugging Face, or the mirror that the variable HF_ENDPOINT names. */
import type { IsAllowed } from './request-file.ts'

export interface Hub {
  readonly address: URL
  /** Files come from servers of other names, to which the hub redirects. */
  readonly isAllowed: IsAllowed
}

const huggingFace = 'https://huggingface.co'

/** @param env  `HF_ENDPOINT` is the variable of Hugging Face's own tools; an unusable address is ignored */
export function findHub(env: Readonly<Record<string, string | undefined>>): Hub {
  const named = env['HF_ENDPOINT']?.trim() ?? ''
  const mirror = new URL(URL.canParse(named) ? named : huggingFace)
  const address = isSafe(mirror) ? mirror : new URL(huggingFace)
  return {
    address,
    isAllowed: (url) => isSafe(url) && (url.host === address.host || isOfHuggingFace(url)),
  }
}

function isOfHuggingFace({ hostname }: URL): boolean {
  return ['huggingface.co', 'hf.co'].some(
    (name) => hostname === name || hostname.endsWith(`.${name}`),
  )
}

/** Whether an address is encrypted, or stays on this computer. */
function isSafe({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:') return true
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}
