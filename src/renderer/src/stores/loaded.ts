import { create, type StoreApi, type UseBoundStore } from 'zustand'
import { toCallError, type CallError } from './client.ts'

/** What the main process answers to one call, under a name of its own; null until loaded. */
type LoadedState<Name extends string, Value> = Record<Name, Value | null> & {
  error: CallError | null
  /** Reads it again. Never rejects. */
  load(): Promise<void>
}

/** Creates the store of a value that is read as a whole. */
export function createLoadedStore<Name extends string, Value>(
  name: Name,
  read: () => Promise<Value>,
): UseBoundStore<StoreApi<LoadedState<Name, Value>>> {
  type State = LoadedState<Name, Value>
  return create<State>((set) => {
    const load = async () => {
      // The compiler widens a computed name to any string.
      const loaded = await read().then(
        (value) => ({ [name]: value, error: null }),
        (error: unknown) => ({ error: toCallError(error) }),
      )
      set(loaded as Partial<State>)
    }
    return { [name]: null, error: null, load } as unknown as State
  })
}
