// What the tests of the demo's story share.
import type { Environment } from '@bursar/http'
import { callerAt } from '../../scripts/demo/gateway'
import { type Made, tellStory } from '../../scripts/demo/story'
import { runCommand } from '../commands'

/** Settings of the story, with a short polling interval for chains. */
export const storySettings = {
  ADMIN_EMAIL: 'admin@bursar.example',
  ADMIN_PASSWORD: 'an administrator of the tests',
  OUTBOUND_ALLOW: '127.0.0.1',
  NETWORK_POLL_MS: '100',
}

/** Tells the story on a stack with those settings; returns what it made and its output. */
export async function storyOf(gateway: string, env: Environment): Promise<{ made: Made; lines: string[] }> {
  const lines: string[] = []
  const admin = { email: storySettings.ADMIN_EMAIL, password: storySettings.ADMIN_PASSWORD }
  const made = await tellStory({
    as: callerAt(gateway),
    admin,
    env,
    run: String(Date.now()).slice(-9),
    async command(name) {
      const { code, out, said } = await runCommand(name, [], { env: { ...process.env, ...env } })
      if (code !== 0) throw new Error(said)
      return out
    },
    say: (line) => lines.push(line),
  })
  return { made, lines }
}
