/** A chat whose tool call never ends, until the process is killed. Its data folder is the argument. */
import { join } from 'node:path'
import { samplePng } from '../../sample-files.ts'
import { startTestService } from '../../test-service.ts'
import { scripted } from '../scripted-server.ts'

const dataDir = process.argv[2] ?? ''
const write = { index: 0, id: 'call_1', name: 'Test__write', argumentPieces: ['{"text":"Hello"}'] }
const models = { 'fake-model': { text: 'I write it.', toolCalls: [write] } }
const { service, routerId } = await startTestService({ models, service: { dataDir } }, () => {})
const added = await service.mcp.add(scripted({ log: join(dataDir, 'log') }, 'silent'))
const { tools } = await service.mcp.consent(added.id, added.identity)
await service.mcp.approve(added.id, Object.fromEntries(tools.map(({ name, seal }) => [name, seal])))
await service.mcp.setTool(added.id, 'write', { permission: 'allow' })
const bytes = samplePng(4, 4)
const attachment = await service.conversations.attach({ name: 'square.png', bytes })
const unsent = { text: 'And then?', attachments: [attachment], queue: [] }
await service.conversations.saveDraft('new', unsent)
const instructions = { systemPrompt: '', parameters: { tools: true } }
await service.conversations.send({ conversationId: null, routerId, text: 'Write', instructions })
