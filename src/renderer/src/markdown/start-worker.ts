/** The content security policy lets only this policy name the address of a script. */
const policy = window.trustedTypes?.createPolicy('modelport-workers', {
  createScriptURL(address) {
    const { origin } = new URL(address, location.href)
    if (origin !== location.origin) throw new TypeError('A worker must be one of the app’s files.')
    return address
  },
})

/** Starts a worker from the app's own files. */
export function startWorker(address: string): Worker {
  // The DOM's types do not know trusted addresses yet.
  const trusted = (policy?.createScriptURL(address) ?? address) as string
  return new Worker(trusted, { type: 'module' })
}
