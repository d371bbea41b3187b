// oxlint-disable-next-line import/default -- Vite gives the address of the built worker
import workerAddress from './rendering-worker.ts?worker&url'

/** The content security policy lets only this policy name the address of a script, and it knows only this one. */
const policy = window.trustedTypes?.createPolicy('modelport-workers', {
  createScriptURL(address) {
    if (address !== workerAddress) throw new TypeError('Only the rendering worker may start.')
    return address
  },
})

/** Starts the worker that colours code, lays out formulas and draws diagrams. */
export function startWorker(): Worker {
  // The DOM's types do not know trusted addresses yet.
  const trusted = (policy?.createScriptURL(workerAddress) ?? workerAddress) as string
  return new Worker(trusted, { type: 'module' })
}
