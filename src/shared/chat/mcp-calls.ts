/** The window's calls of MCP servers. Nothing but the window adds or starts one. */
import { z } from 'zod'
import { call, nothing } from '../ipc-call.ts'
import {
  approvalDecisions,
  questionValuesSchema,
  type ToolApproval,
  type ToolOffer,
} from './tool-approvals.ts'
import {
  enteredServerSchema,
  permissions,
  toolGrantsSchema,
  toolMarksSchema,
  type EnteredServer,
  type ListedServer,
  type ServerPrompt,
} from './tools.ts'

const id = z.string().min(1)
const one = z.strictObject({ id })

export const mcpCalls = {
  'mcp:list': call(nothing).returns<ListedServer[]>(),
  /** Reads servers in pasted JSON. Adds none. */
  'mcp:read': call(z.strictObject({ text: z.string().max(1_000_000) })).returns<EnteredServer[]>(),
  /** Adds a server, and does not start it. */
  'mcp:add': call(enteredServerSchema).returns<ListedServer>(),
  /** Consents to what the window showed, and starts it to read its tools. */
  'mcp:consent': call(one.extend({ identity: z.hash('sha256') })).returns<ListedServer>(),
  /** Starts a server if needed, and reads its tools again. */
  'mcp:refresh': call(one).returns<ListedServer>(),
  /** Opens the browser for a sign-in, waits for its end, and reads the tools again. */
  'mcp:sign-in': call(one).returns<ListedServer>(),
  'mcp:set-on': call(one.extend({ isOn: z.boolean() })).returns<void>(),
  'mcp:remove': call(one).returns<void>(),
  /** Approves tools by their names, each as the seal says that the window showed it. */
  'mcp:approve': call(
    one.extend({ seals: z.record(z.string(), z.hash('sha256')) }),
  ).returns<void>(),
  'mcp:set-tool': call(
    one.extend({
      name: z.string(),
      permission: z.enum(permissions).optional(),
      marks: toolMarksSchema.optional(),
      grants: toolGrantsSchema.optional(),
    }),
  ).returns<void>(),
  /** The prompts of a server, which starts if needed. */
  'mcp:prompts': call(one).returns<ServerPrompt[]>(),
  /** A prompt with its arguments filled in. */
  'mcp:prompt': call(
    one.extend({ name: id, arguments: z.record(z.string(), z.string().max(100_000)) }),
  ).returns<string>(),
  /** What tools add to the requests of a conversation with this router. */
  'mcp:offer': call(
    z.strictObject({ conversationId: id.nullable(), routerId: id }),
  ).returns<ToolOffer>(),
  /** Questions that turns wait for, oldest first. */
  'mcp:approvals': call(nothing).returns<ToolApproval[]>(),
  'mcp:decide': call(
    one.extend({
      decision: z.enum(approvalDecisions),
      /** What a server's question is answered with. */
      values: questionValuesSchema.default({}),
      /** Which of the grants `within` is about. */
      grant: z.int().min(0).default(0),
    }),
  ).returns<void>(),
}
