import { useState } from 'react'
import { toCallError, type CallError } from '../stores/client.ts'

interface Action<Input extends unknown[]> {
  run: (...input: Input) => void
  isRunning: boolean
  /** The last error; null while running and after success. */
  error: CallError | null
}

/** Runs an asynchronous action and tracks whether it is running and how it failed. */
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
