import { create } from 'zustand'
import type { IpcEvents } from '../../../shared/ipc.ts'

export type Alarm = IpcEvents['alarm']

/** Open alarms, newest first, without duplicates. */
export const useAlarms = create<{ alarms: readonly Alarm[] }>(() => ({ alarms: [] }))

export function raiseAlarm(alarm: Alarm): void {
  if (alarm.hasBanner) return
  useAlarms.setState(({ alarms }) => ({
    alarms: [alarm, ...alarms.filter(({ message }) => message !== alarm.message)],
  }))
}

export function dismissAlarm(alarm: Alarm): void {
  useAlarms.setState(({ alarms }) => ({ alarms: alarms.filter((other) => other !== alarm) }))
}
