import { config } from 'zod'

// The shared schemas come along with their types; under the window's CSP zod must not probe for eval.
config({ jitless: true })
