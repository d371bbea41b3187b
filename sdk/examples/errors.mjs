import { isModelportError, Modelport } from '@modelport/sdk'
import { APIConnectionError } from 'openai'

const modelport = new Modelport()

try {
  await modelport.chat.completions.create({
    model: 'no-such-model',
    messages: [{ role: 'user', content: 'Hello' }],
  })
} catch (error) {
  if (isModelportError(error, 'daily_limit_exceeded', 'budget_exceeded')) {
    console.log(`Limit reached: ${error.message}`)
  } else if (isModelportError(error)) {
    console.log(`${error.code}: ${error.message}`)
  } else if (error instanceof APIConnectionError) {
    console.log(error.cause)
  } else {
    throw error
  }
}
