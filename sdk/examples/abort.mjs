import { Modelport } from '@modelport/sdk'
import { APIUserAbortError } from 'openai'

const modelport = new Modelport()

try {
  await modelport.chat.completions.create(
    { messages: [{ role: 'user', content: 'Write a long story.' }] },
    { signal: AbortSignal.timeout(100) },
  )
} catch (error) {
  if (!(error instanceof APIUserAbortError)) throw error
  // Modelport cancels the request to the model at once.
  console.log('Cancelled')
}
