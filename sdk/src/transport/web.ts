/** Browsers and workers: certificates are the platform's affair, so its own `fetch` is used. */
import type { MakeFetch } from './transport.ts'

export const makeFetch: MakeFetch = () => undefined
