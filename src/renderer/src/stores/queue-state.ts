import type { QueuedMessage } from '../../../shared/chat/conversations.ts'

/** Messages that wait for the running answer of their conversation. */
export interface Queue {
  messages: readonly QueuedMessage[]
  /**
   * `waiting`: the first is sent when the answer ends. In all other states, the person has to send it: its forecast is above
   * the limit, the answer failed or was stopped, or the messages are those of the last time.
   */
  state: 'waiting' | 'costly' | 'failed' | 'stopped' | 'stored'
}
