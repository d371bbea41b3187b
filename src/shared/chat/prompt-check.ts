/** The deterministic checks that grade the answers of a tuning run. */
import { z } from 'zod'

const nonEmptyText = z.string().min(1).max(2_000)

/** Passes if the answer's final number lies within the tolerance. Without a tolerance it must be equal. */
const numberCheckSchema = z.strictObject({
  type: z.literal('number'),
  expected: z.number(),
  /** Tolerance in the unit of `expected`. The greater of both tolerances counts. */
  absoluteTolerance: z.number().nonnegative().optional(),
  /** A share of `expected`: 0.01 is 1 %. */
  relativeTolerance: z.number().nonnegative().max(1).optional(),
})

/** Passes if the answer names one option, and it is the expected one. */
const choiceCheckSchema = z
  .strictObject({
    type: z.literal('choice'),
    expected: z.string().regex(/^[A-Z]$/, 'Enter one capital letter'),
    /** All letters of the question, such as "ABCD". */
    options: z.string().regex(/^[A-Z]{2,26}$/, 'Enter the letters of all options, such as ABCD'),
  })
  .refine(({ expected, options }) => options.includes(expected), {
    path: ['expected'],
    message: 'The expected letter must be one of the options',
  })

/** Passes if the answer contains JSON that matches the schema and the exact values. */
const jsonCheckSchema = z.strictObject({
  type: z.literal('json_schema'),
  /** JSON Schema 2020-12 without regular expressions. */
  schema: z.record(z.string(), z.json()),
  /** The whole expected value; the order of object members does not matter. */
  equals: z.json().optional(),
  /** Expected values by JSON pointer, such as `/items/0/price`. */
  values: z.record(z.string().regex(/^(\/.*)?$/, 'Enter a JSON pointer'), z.json()).optional(),
})

/**
 * The score is the share of required facts that the answer states, or 0 if it states a forbidden one. A fact is a
 * list of alternatives. Case, accents and line breaks are ignored; a `*` at the end matches any ending of the word.
 */
const factsCheckSchema = z.strictObject({
  type: z.literal('facts'),
  required: z.array(z.array(nonEmptyText).min(1)).min(1).max(50),
  forbidden: z.array(nonEmptyText).max(50).optional(),
})

/** Passes if the answer is one of the expected texts. Spaces, quotes, Markdown and a final full stop are ignored. */
const exactCheckSchema = z.strictObject({
  type: z.literal('exact'),
  expected: z.array(nonEmptyText).min(1).max(20),
  isCaseSensitive: z.boolean().optional(),
})

/** Passes if the answer's JavaScript gives the expected value for every case. It runs in a sandbox. */
const testsCheckSchema = z.strictObject({
  type: z.literal('tests'),
  /** The function or class that the answer must define. */
  entry: z.string().regex(/^[A-Za-z_$][\w$]*$/, 'Enter the name of a function or class'),
  cases: z
    .array(
      z.strictObject({
        /** A JavaScript expression, such as `sum([1, 2])`. A promise is awaited. */
        run: nonEmptyText,
        /** Compared as JSON outside the sandbox. */
        expected: z.json(),
      }),
    )
    .min(1)
    .max(100),
})

/** How the answer to a prompt is graded without a judge. Users' prompt files may contain these checks. */
export const promptCheckSchema = z.discriminatedUnion('type', [
  numberCheckSchema,
  choiceCheckSchema,
  jsonCheckSchema,
  factsCheckSchema,
  exactCheckSchema,
  testsCheckSchema,
])
export type PromptCheck = z.infer<typeof promptCheckSchema>
export type CheckOfType<Type extends PromptCheck['type']> = Extract<PromptCheck, { type: Type }>
