/**
 * The XDG autostart entry, by which Linux desktops launch an app at login. Desktops change it as well (GNOME Tweaks
 * writes `X-GNOME-Autostart-enabled`), so it is read each time, and only a click of the user writes it.
 */
import type { StartupInput } from '../../shared/app/startup.ts'

/** Passed to an app that starts without its window. */
export const hiddenSwitch = '--hidden'

/** @param text  of the entry; null when there is none */
export function readAutostart(text: string | null): StartupInput {
  const valueOf = (key: string) =>
    new RegExp(`^${key}[ \\t]*=[ \\t]*(.*?)[ \\t]*$`, 'm').exec(text ?? '')?.[1]
  const isOff = valueOf('Hidden') === 'true' || valueOf('X-GNOME-Autostart-enabled') === 'false'
  const command = valueOf('Exec')
  return {
    launchesAtLogin: command !== undefined && !isOff,
    startsHidden: command?.split(' ').includes(hiddenSwitch) ?? false,
  }
}

/** The entry that launches this command. @param command  the program and its arguments */
export function autostartEntry(command: readonly string[], startsHidden: boolean): string {
  const all = startsHidden ? [...command, hiddenSwitch] : command
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Modelport',
    'Comment=One local port in front of all your language models',
    `Exec=${all.map(quoteArgument).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
}

/** Quoting of the Desktop Entry Specification: first as an argument, then as a string of the file. */
function quoteArgument(argument: string): string {
  const percent = argument.replaceAll('%', '%%')
  if (/^[\w@%+=:,./-]+$/.test(percent)) return percent
  return `"${percent.replace(/["`$\\]/g, String.raw`\$&`)}"`.replaceAll('\\', '\\\\')
}
