/**
 * Chromium refuses to run as root inside its sandbox; all other users keep the sandbox.
 * @returns {string[]} Electron's arguments
 */
export function sandboxArguments() {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : []
}

/**
 * Recognizes Chromium's last message on systems that forbid its sandbox: Ubuntu since 24.04 does so by AppArmor,
 * some servers by a kernel setting.
 * @param {string} line of Electron's standard error
 * @returns {string | null} what to do about it; null for any other line
 */
export function findSandboxComplaint(line) {
  if (!/No usable sandbox|SUID sandbox helper binary was found, but is not configured/.test(line))
    return null
  return [
    'Electron could not start: this system does not allow programs to create the sandbox that it needs',
    '(Ubuntu since 24.04 forbids unprivileged user namespaces by AppArmor).',
    '',
    'Fix: allow them until the next restart with',
    '  sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 kernel.unprivileged_userns_clone=1',
    'or permanently: add an AppArmor profile with `userns,` for the Electron named above.',
  ].join('\n')
}
