import { useState } from 'react'
import { toCallError, type CallError } from '../stores/client.ts'

interface Action<Input extends unknown[]> {
  run: (...input: Input) => void
  isRunning: boolean
  /** Why it failed last; null while it runs and after it went well. */
  error: CallError | null
}

/** Something a button starts: whether it runs and how it failed, for the button's surroundings. */
export function useAction<Input extends unknown[]>(
  act: (...input: Input) => Promise<void>,
): Action<Input> {
  const [isRunning, setIsRunning] = useState(false)
  const [error, setError] = useState<CallError | null>(null)

  async function start(input: Input): Promise<void> {
    setIsRunning(true)
    setError(null)
    try {
      await act(...input)
    } catch (reason) {
      setError(toCallError(reason))
    } finally {
      setIsRunning(false)
    }
  }

  return { run: (...input) => void start(input), isRunning, error }
}
