/** Events of the service. */
import type { BudgetAlert } from '../../shared/routers/budget-alert.ts'
import type { ConnectionProblem } from '../../shared/app/connect.ts'
import type { RequestRecord } from '../../shared/entities.ts'
import type { EndpointState, LocalModelState } from '../../shared/app/app-state.ts'
import type { IpcEvents } from '../../shared/ipc.ts'
import type { StorageState } from '../../shared/app/storage-state.ts'
import type { TuningRun } from '../../shared/tuning/tuning-run.ts'
import type { UnexpectedCallNews } from '../../shared/requests/unexpected-call.ts'
import type { BudgetRefusal } from '../chat/admission/budgets.ts'

export interface ServiceEvents {
  changed: IpcEvents['changed']
  'request:finished': RequestRecord
  /** A request that budgets refused; it has no record. */
  'budget:refused': BudgetRefusal
  alarm: IpcEvents['alarm']
  /** A provider began or ceased to work, or fails in another way. */
  'provider-health': null
  endpoint: EndpointState
  /** The database can no longer be written, or can again; or it is damaged. */
  storage: StorageState
  /** Serving was paused or resumed. */
  paused: boolean
  'local-model': LocalModelState
  /** A download moved on, or the list of local models changed. */
  'local-models': null
  /** New alerts of one budget and period, the lowest level first. */
  'budget-alerts': readonly BudgetAlert[]
  /** A key or a router was used in a way that was not expected. */
  'unexpected-call': UnexpectedCallNews
  /** Web origins refused since the start, newest first. */
  'refused-origins': readonly string[]
  /** Refused connections and requests, newest first. */
  'connection-problems': readonly ConnectionProblem[]
  /** Questions about tools that turns wait for, oldest first. */
  'tool-approvals': IpcEvents['tool-approvals']
  /** The clock was set, or the computer woke up. */
  clock: null
  /** A tuning run of this process began, moved on or ended. */
  tuning: TuningRun
}

type Listener<Name extends keyof ServiceEvents> = (payload: ServiceEvents[Name]) => void

export interface EventHub {
  emit<Name extends keyof ServiceEvents>(name: Name, payload: ServiceEvents[Name]): void
  /** @returns removes the listener */
  on<Name extends keyof ServiceEvents>(name: Name, listener: Listener<Name>): () => void
}

/**
 * Listeners are called synchronously, in the order they were added.
 * @param onBug  called when one throws; the emitter and the other listeners continue
 */
export function createEventHub(onBug: (error: unknown) => void): EventHub {
  const listeners: { [Name in keyof ServiceEvents]: Set<Listener<Name>> } = {
    changed: new Set(),
    'request:finished': new Set(),
    'budget:refused': new Set(),
    alarm: new Set(),
    'provider-health': new Set(),
    endpoint: new Set(),
    storage: new Set(),
    paused: new Set(),
    'local-model': new Set(),
    'local-models': new Set(),
    'budget-alerts': new Set(),
    'unexpected-call': new Set(),
    'refused-origins': new Set(),
    'connection-problems': new Set(),
    'tool-approvals': new Set(),
    clock: new Set(),
    tuning: new Set(),
  }
  return {
    emit(name, payload) {
      for (const listener of listeners[name]) {
        try {
          listener(payload)
        } catch (error) {
          onBug(error)
        }
      }
    },
    on(name, listener) {
      listeners[name].add(listener)
      return () => listeners[name].delete(listener)
    },
  }
}
