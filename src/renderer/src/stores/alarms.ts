import { create } from 'zustand'
import type { IpcEvents } from '../../../shared/ipc.ts'

export type Alarm = IpcEvents['alarm']

/** What the user must act on, newest first, each message once; dismissed ones are gone. */
export const useAlarms = create<{ alarms: readonly Alarm[] }>(() => ({ alarms: [] }))

export function raiseAlarm(alarm: Alarm): void {
  useAlarms.setState(({ alarms }) => ({
    alarms: [alarm, ...alarms.filter(({ message }) => message !== alarm.message)],
  }))
}

export function dismissAlarm(alarm: Alarm): void {
  useAlarms.setState(({ alarms }) => ({ alarms: alarms.filter((other) => other !== alarm) }))
}
