/** A label of a request for grouping usage, such as a project or a customer. */
import { z } from 'zod'

export const tagSchema = z
  .string()
  .regex(/^[\x21-\x7e]([\x20-\x7e]{0,62}[\x21-\x7e])?$/, 'Use 1 to 64 printable ASCII characters')
