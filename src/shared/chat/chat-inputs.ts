/** Inputs of the chat window's calls. */
import { z } from 'zod'
import { agentSlugSchema } from '../agents/agent.ts'
import { modelIdSchema } from '../entities.ts'

const id = z.string().min(1)

export const sendInputSchema = z.strictObject({
  conversationId: id.nullable(),
  routerId: id,
  /** Null: the router chooses a model. */
  agent: agentSlugSchema.nullable().default(null),
  text: z.string().min(1),
})

export const previewInputSchema = z.strictObject({
  conversationId: id.nullable(),
  routerId: id,
  text: z.string().min(1),
})

export const againInputSchema = z.strictObject({
  conversationId: id,
  routerId: id,
  /** A model of the router; null: the router or the conversation's agent answers. */
  model: modelIdSchema.nullable(),
  /** Whether the existing answers stay beside the new one; otherwise they are set aside. */
  isBeside: z.boolean(),
})

export const branchInputSchema = z.strictObject({
  conversationId: id,
  /** The question that is changed. */
  questionId: id,
  routerId: id,
  text: z.string().min(1),
})

export const continueInputSchema = z.strictObject({ conversationId: id, routerId: id })
