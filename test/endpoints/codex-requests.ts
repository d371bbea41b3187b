/** Requests of the shapes that Codex 0.169.0 sends, with texts of our own. */

const message = (role: string, ...texts: string[]) => ({
  type: 'message',
  id: `msg_${role}`,
  role,
  content: texts.map((text) => ({ type: 'input_text', text })),
})

const schema = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names.slice(0, 1),
  additionalProperties: false,
})

const functionTool = (name: string, ...parameters: string[]) => ({
  type: 'function',
  name,
  description: `Does ${name}.`,
  strict: false,
  parameters: schema(...parameters),
})

const agents = {
  type: 'namespace',
  name: 'multi_agent_v1',
  description: 'Agents.',
  tools: [functionTool('spawn_agent', 'message'), functionTool('wait_agent', 'targets')],
}

const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: /.+/' }
const customTool = (name: string) => ({
  type: 'custom',
  name,
  description: `Runs ${name}.`,
  format: grammar,
})

export const image = {
  type: 'input_image',
  image_url: 'data:image/png;base64,AAAA',
  detail: 'original',
}

const start = [
  message('developer', 'Instructions.'),
  message('developer', 'Permissions.', 'Skills.'),
  message('user', 'Surroundings'),
  message('user', 'Change the note.'),
]

const common = {
  model: 'auto',
  stream: true,
  tool_choice: 'auto',
  parallel_tool_calls: true,
  store: false,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: 'session',
  client_metadata: { session_id: 'session', 'x-codex-turn-metadata': '{"sandbox":"none"}' },
}

/** A request with a model name that Codex does not know. */
export const unknownName = {
  ...common,
  input: start,
  tools: [
    functionTool('exec_command', 'cmd'),
    agents,
    { type: 'web_search', external_web_access: true },
  ],
  reasoning: { summary: 'auto' },
}

/** A request with a name of its catalogue that has a tool for patches. */
export const withPatches = {
  ...common,
  model: 'gpt-5.5',
  input: start,
  tools: [
    functionTool('exec_command', 'cmd'),
    customTool('apply_patch'),
    { type: 'tool_search', execution: 'client', parameters: schema('query') },
  ],
  reasoning: { effort: 'medium' },
  text: { verbosity: 'low' },
}

/** A request with a name of its catalogue that works in code mode: it has no `tools`. */
export const codeMode = {
  ...common,
  model: 'gpt-6.1-sol',
  parallel_tool_calls: false,
  input: [
    {
      type: 'additional_tools',
      id: 'at_1',
      role: 'developer',
      tools: [
        {
          type: 'namespace',
          name: 'functions',
          description: '',
          tools: [customTool('exec'), functionTool('wait', 'cell_id')],
        },
        agents,
      ],
    },
    ...start,
  ],
  reasoning: { effort: 'low', context: 'all_turns' },
  text: { verbosity: 'low' },
}

const reasoning = (id: string) => ({
  type: 'reasoning',
  id,
  summary: [{ type: 'summary_text', text: 'I will read first.' }],
  content: null,
  encrypted_content: 'BLOB==',
})

/** The next step of `withPatches`, with a call, a patch and a picture. */
export const history = {
  ...withPatches,
  input: [
    ...start,
    reasoning('rs_0'),
    {
      type: 'message',
      status: 'completed',
      id: 'msg_0',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Reading.', annotations: [] }],
    },
    {
      type: 'function_call',
      id: 'fc_0',
      name: 'exec_command',
      arguments: '{"cmd":"a"}',
      call_id: 'call_0',
    },
    {
      type: 'function_call',
      id: 'fc_1',
      name: 'exec_command',
      arguments: '{"cmd":"b"}',
      call_id: 'call_0_1',
    },
    { type: 'function_call_output', id: 'fco_0', call_id: 'call_0', output: 'A' },
    { type: 'function_call_output', id: 'fco_1', call_id: 'call_0_1', output: [image] },
    {
      type: 'custom_tool_call',
      id: 'ctc_0',
      call_id: 'call_1',
      name: 'apply_patch',
      input: '*** "x"',
    },
    {
      type: 'custom_tool_call_output',
      id: 'cto_0',
      call_id: 'call_1',
      output: [
        { type: 'input_text', text: 'Patched.' },
        { type: 'input_text', text: 'One file.' },
      ],
    },
  ],
}
