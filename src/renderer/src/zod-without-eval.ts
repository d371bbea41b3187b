import { config } from 'zod'

// zod must not probe for eval: the window's content security policy would report it.
config({ jitless: true })
