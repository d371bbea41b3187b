import { z } from 'zod'

/** A short name that can be part of an address, a file name and a variable. */
export const slug = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,63}$/,
    'Use 1 to 64 lower-case letters, digits and dashes, starting with a letter or digit',
  )
