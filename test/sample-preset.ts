/** The entry of a provider with an OpenAI-compatible API, as somebody would add it to `presets.ts`. */
export const compatiblePreset = `
  {
    ...openAiWire,
    type: 'acme',
    name: 'Acme',
    baseUrl: 'https://api.acme.example/v1',
    keyUrl: null,
    documentation: { url: 'https://acme.example/docs', comparedAt: null },
  },`
