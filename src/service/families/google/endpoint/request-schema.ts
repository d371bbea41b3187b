/** The bodies of Gemini's methods, as far as Modelport reads them. Other fields are passed on. */
import { z } from 'zod'

const content = z.looseObject({ role: z.string().optional() })
const object = z.looseObject({}).nullable().optional()
const number = z.number().nullable().optional()

const generationConfig = z
  .looseObject({
    temperature: z.number().min(0).max(2).nullable().optional(),
    topP: number,
    topK: number,
    candidateCount: z.int().min(1).nullable().optional(),
    maxOutputTokens: z.int().min(1).nullable().optional(),
    stopSequences: z.array(z.string()).nullable().optional(),
    responseMimeType: z.string().nullable().optional(),
    seed: z.int().nullable().optional(),
    thinkingConfig: object,
  })
  .nullable()
  .optional()

const promptShape = {
  systemInstruction: z.union([z.string(), content]).nullable().optional(),
  tools: z.array(z.looseObject({})).nullable().optional(),
  toolConfig: object,
  generationConfig,
}

const generateSchema = z.looseObject({ contents: z.array(content).min(1), ...promptShape })

/** Either contents alone, or a whole request of which everything counts. */
const countSchema = z.union([
  generateSchema,
  z.looseObject({ generateContentRequest: generateSchema }),
])

export type GenerateRequest = z.infer<typeof generateSchema>
export type CountRequest = z.infer<typeof countSchema>

export const geminiJsonSchemas = {
  generate: z.toJSONSchema(generateSchema, { target: 'draft-7', io: 'input' }),
  count: z.toJSONSchema(countSchema, { target: 'draft-7', io: 'input' }),
}
