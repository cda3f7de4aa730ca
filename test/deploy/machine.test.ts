// docs/operations.md on a machine with nothing but systemd and a Redis: the executable as a service, from the installation to
// the restore.
import { afterAll, beforeAll, describe, expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inOrder, until } from '@bursar/testing'
import { executable } from '../executable'
import { bootMachine, type Machine, whyNoMachine } from './machine'

const root = join(import.meta.dir, '../..')
const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
const why = whyNoMachine()
if (why) console.warn(`The test of a machine with systemd is skipped: ${why}`)

/** The blocks of a kind, such as `unit upgrade`. */
const blocks = (kind: string): string[] =>
  [...page.matchAll(/^```sh ?([\w ]*)\n([\s\S]*?)^```$/gm)].flatMap(([, found, text = '']) =>
    found === kind ? [text] : [],
  )

describe.skipIf(why !== null)('a machine with systemd, a Redis and one file', () => {
  let machine: Machine
  let file: string
  let password = ''

  beforeAll(async () => {
    file = await executable()
    machine = await bootMachine()
  })
  afterAll(() => machine?.stop())

  /** Runs a block in /opt/bursar; it must succeed. */
  async function run(script: string): Promise<string> {
    const { code, out, error } = await machine.run(script, '/opt/bursar')
    if (code !== 0) {
      const log = await machine.run('journalctl --namespace=bursar --no-pager -n 60; systemctl --failed')
      throw new Error(`${script}\nended with ${code}: ${out}\n${error}\n${log.out}`)
    }
    return out
  }
  const only = (kind: string): string => {
    const found = blocks(kind)
    expect(found).toHaveLength(1)
    return found[0] ?? ''
  }
  async function call(...args: string[]): Promise<string> {
    const { code, out, error } = await machine.outside(
      process.execPath,
      join(import.meta.dir, 'machine-calls.ts'),
      ...args,
    )
    expect([code, error]).toEqual([0, ''])
    return out
  }
  const mainPid = async () => (await run('systemctl show --property=MainPID --value bursar.service')).trim()
  const backups = async () => (await run('ls /var/backups/bursar')).split('\n').filter(Boolean)

  inOrder('is installed, watched, backed up, upgraded and restored', (step) => {
    step('it has neither Node, Bun nor a checkout', async () => {
      expect((await machine.run('node --version || bun --version')).code).not.toBe(0)
      expect((await machine.run('ls /opt /var/lib/bursar')).out).toBe('/opt:\n')
    })

    step('installation and start', async () => {
      machine.put(file, '/opt/bursar/bursar')
      machine.put(join(root, 'deploy/systemd'), '/opt/bursar/deploy/systemd')
      await run(only('install'))
      const [start = '', ...others] = blocks('unit')
      expect(others).toHaveLength(1)
      const said = await run(start)
      expect(said).toMatch(/^Bursar runs on \/var\/lib\/bursar since /m)
      for (const name of ['gateway', 'wallet', 'log-tracker'])
        expect(said).toMatch(new RegExp(`^  ${name} +ok +http`, 'm'))
      expect(said).toMatch(/^ok +permissions +\/var\/lib\/bursar is for this user alone$/m)
      expect(said).toMatch(/\n0 wrong, \d+ warnings\n/)
      const log = await run('journalctl --namespace=bursar -u bursar.service -o cat')
      ;[, password = ''] = /The first administrator is admin@localhost with the password (\S+)/.exec(log) ?? []
      expect(password).not.toBe('')
      // Nothing there asks to be reported to somebody else.
      expect(log).not.toContain('warning:')
    })

    step('all of it runs as its user, and may do little', async () => {
      const owners = await run('ps -e -o user= -o comm= -o unit= | grep -v @ | grep bursar.service | sort | uniq -c')
      expect(owners).toMatch(
        /^ *17 bursar +bursar +bursar.service\n *1 bursar +redis-server +bursar.service\n *1 bursar +sh +bursar.service\n$/,
      )
      const settings = await run(
        'systemctl show bursar.service --property=NoNewPrivileges,ProtectSystem,PrivateUsers,NRestarts,ExecMainStatus',
      )
      expect(settings.split('\n').filter(Boolean).sort()).toEqual([
        'ExecMainStatus=0',
        'NRestarts=0',
        'NoNewPrivileges=yes',
        'PrivateUsers=yes',
        'ProtectSystem=strict',
      ])
      expect(await run('find /var/lib/bursar ! -user bursar -o -perm /077 ! -type l')).toBe('')
    })

    step('a payment, and the figures of all services', async () => {
      expect(await call('payment', password)).toStartWith('COMPLETED ')
      // On a busy machine a service may be late for a scrape.
      const figures = await until(
        async () => {
          const given = await call('figures')
          return given.match(/^bursar_up\{service="[\w-]+"\} 1$/gm)?.length === 16 && given
        },
        { what: 'the figures of all services' },
      )
      expect(figures).toMatch(/^bursar_audit_ok\{.*\} 1$/m)
    })

    step('the timer takes backups', async () => {
      // Each two seconds, so that nobody has to wait.
      const often = only('unit timer').replace('minutely', '*:*:0/2\\nAccuracySec=1ms')
      expect(await run(often)).toContain('bursar-backup.service')
      await until(async () => (await backups()).length > 1, { what: 'backups' })
      await run('systemctl stop bursar-backup.timer')
      await until(async () => (await machine.run('systemctl is-active bursar-backup.service')).out === 'inactive\n')
      expect((await run('systemctl show --property=Result --value bursar-backup.service')).trim()).toBe('success')
      expect(await run('journalctl --namespace=bursar -u bursar-backup.service -o cat')).toContain(
        'The audit of the copy found nothing wrong',
      )
    })

    step('one service restarts', async () => {
      const [, restart = ''] = blocks('unit')
      expect(await run(restart)).toMatch(/^customer runs again/m)
      expect(await run('bursar rotate quote --status')).toMatch(/^quote\.key: [0-9a-f]{8}$/m)
    })

    // Each start of all is some seconds of processor time: one shows two things.
    step('a secret becomes a credential; a starter that is killed is started again, and takes it', async () => {
      const before = await mainPid()
      await run(`install -m 600 /var/lib/bursar/wallet.passphrase /etc/bursar/credentials/wallet-passphrase
mkdir -p /etc/systemd/system/bursar.service.d
grep -v SMTP_URL deploy/systemd/secrets.conf > /etc/systemd/system/bursar.service.d/secrets.conf
rm /var/lib/bursar/wallet.passphrase
systemctl daemon-reload
systemctl kill --signal=KILL --kill-whom=main bursar.service`)
      await until(async () => !['0', before].includes(await mainPid()), { what: 'the restart' })
      await run('until bursar status; do sleep 1; done')
      expect(await run('bursar audit')).toContain('The books are right')
      const found = await run('bursar doctor')
      expect(found).toMatch(/^ok +keys +all keys are whole, and the passphrase opens the wallets’ seed$/m)
      expect(found).not.toContain('wallet.passphrase')
      expect((await machine.run('ls /var/lib/bursar/wallet.passphrase')).code).not.toBe(0)
    })

    step('that secret is rotated; an upgrade keeps what is there, and starts with the new one', async () => {
      const said = await run(`echo 'another passphrase' > /tmp/next
chown bursar /tmp/next
bursar rotate wallet --to /tmp/next
bursar doctor --quiet
install -m 600 /tmp/next /etc/bursar/credentials/wallet-passphrase`)
      expect(said).toStartWith('The seed opens by both passphrases now.')
      expect(said).toMatch(/^0 wrong, \d+ warnings$/m)
      machine.put(file, '/opt/bursar/bursar.new')
      const before = [await mainPid(), await run('stat -L -c %i /proc/$(systemctl show -p MainPID --value bursar)/exe')]
      expect(await run(only('unit upgrade'))).toMatch(/^Bursar runs on /m)
      const after = [await mainPid(), await run('stat -L -c %i /proc/$(systemctl show -p MainPID --value bursar)/exe')]
      expect([after[0] !== before[0], after[1] !== before[1]]).toEqual([true, true])
      expect(await run('bursar doctor')).toMatch(/^0 wrong, \d+ warnings$/m)
      expect(await run('ls /var/lib/bursar')).not.toContain('wallet.seed.next.json')
      expect(await call('payment', password)).toStartWith('COMPLETED ')
    })

    step('a backup is tried, and restored', async () => {
      const [newest = ''] = (await backups()).reverse()
      const block = only('unit restore').replaceAll('2026-01-31T06-15-00Z', newest)
      const said = await run(block)
      expect(said).toContain(' can be restored.')
      expect(said).toMatch(/^Bursar runs on /m)
      expect(await call('payment', password)).toStartWith('COMPLETED ')
    })

    step('it stops in order, and leaves nothing behind', async () => {
      await run('systemctl stop bursar.service')
      const { out } = await machine.run('systemctl show --property=Result,ActiveState,ExecMainStatus bursar.service')
      expect(out.split('\n').filter(Boolean).sort()).toEqual([
        'ActiveState=inactive',
        'ExecMainStatus=0',
        'Result=success',
      ])
      expect((await machine.run('bursar status')).code).toBe(3)
      expect((await machine.run('pgrep -u bursar -l')).out).toBe('')
    })
  })
})
