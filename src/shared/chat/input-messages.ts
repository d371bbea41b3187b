/** Messages for invalid input, in place of zod's own. */
import type { z } from 'zod'

const count = new Intl.NumberFormat('en-US')

/**
 * The error map of every parse whose message a person reads: `schema.safeParse(input, { error: inputMessage })`.
 * A message of the schema itself wins.
 * @returns undefined for issues that only a refinement can explain
 */
export function inputMessage(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'This field is required' : typeMessage(issue.expected)
    case 'too_small':
      return minimumMessage(issue)
    case 'too_big':
      return maximumMessage(issue)
    case 'invalid_value':
      return `Choose one of: ${issue.values.join(', ')}`
    case 'invalid_format':
      return issue.format === 'url'
        ? 'Enter a complete address, such as https://example.com'
        : 'This value has the wrong format'
    case 'invalid_union':
      return unionMessage(issue)
    case 'unrecognized_keys':
      return `Unknown ${issue.keys.length === 1 ? 'field' : 'fields'}: ${issue.keys.join(', ')}`
    default:
      return undefined
  }
}

const typeMessages: Readonly<Record<string, string>> = {
  string: 'Enter a text',
  number: 'Enter a number',
  int: 'Enter a whole number',
  boolean: 'Enter true or false',
  array: 'Enter a list',
  object: 'Enter an object',
  record: 'Enter an object',
}

function typeMessage(expected: string): string {
  return typeMessages[expected] ?? 'This value has the wrong type'
}

type Limit = { readonly origin: string; readonly inclusive?: boolean | undefined }

function minimumMessage(issue: Limit & { minimum: number | bigint }): string {
  const { origin, minimum, inclusive = true } = issue
  const least = count.format(minimum)
  if (origin === 'string') {
    return minimum === 1 ? 'This field is required' : `Use at least ${least} characters`
  }
  if (origin === 'array') return `Add at least ${least}`
  return inclusive ? `Enter ${least} or more` : `Enter more than ${least}`
}

function maximumMessage(issue: Limit & { maximum: number | bigint }): string {
  const { origin, maximum, inclusive = true } = issue
  const most = count.format(maximum)
  if (origin === 'string') return `Use ${most} characters at most`
  if (origin === 'array') return `Use ${most} entries at most`
  return inclusive ? `Enter ${most} or less` : `Enter less than ${most}`
}

function unionMessage({ discriminator, options }: { discriminator?: unknown; options?: unknown }) {
  if (typeof discriminator !== 'string') return 'This value is not valid'
  const known = Array.isArray(options) ? `: ${options.join(', ')}` : ''
  return known === '' ? `Choose a valid ${discriminator}` : `Choose one of${known}`
}
