/** A program that the runner started, with its own child processes. */
export interface Running {
  pid: number
  /** Lets the program begin: until then a shell waits in its place, which ends with the runner. */
  begin(): void
  /** Resolves when it has ended, with how, for people: `exit code 3`, `signal SIGKILL`. */
  ended: Promise<string>
  /** SIGTERM, and SIGKILL after `graceMs`. Resolves when the program and its children are gone. */
  stop(graceMs: number): Promise<void>
  /** SIGKILL at once. */
  kill(): void
}

/** Receives a process's output. */
export type Sink = (chunk: Uint8Array) => void

/**
 * Prepares a shell's command in a process group of its own: a Ctrl-C in the terminal reaches the runner alone, which then
 * stops everything in order, and a stop reaches the children's children too. It begins when it is told to, once the last will
 * names it: no runner that is killed leaves one behind.
 */
export function launch(command: string, options: { cwd: string; out: Sink; err: Sink }): Running {
  const { cwd, out, err } = options
  const child = Bun.spawn(['sh', '-c', 'read -r _ && exec sh -c "$1" </dev/null', 'sh', command], {
    cwd,
    env: process.env,
    detached: true,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const output = Promise.all([forward(child.stdout, out), forward(child.stderr, err)])
  const kill = () => signalGroup(child.pid, 'SIGKILL')
  return {
    pid: child.pid,
    begin() {
      child.stdin.write('\n')
      // One that was ended meanwhile reads nothing any more.
      Promise.resolve(child.stdin.end()).catch(() => {})
    },
    kill,
    ended: child.exited.then(() => (child.signalCode ? `signal ${child.signalCode}` : `exit code ${child.exitCode}`)),
    async stop(graceMs) {
      signalGroup(child.pid, 'SIGTERM')
      const patience = setTimeout(kill, graceMs)
      await child.exited
      clearTimeout(patience)
      kill()
      // A process that left the group may hold the pipes open for ever.
      await Promise.race([output, Bun.sleep(1000)])
    },
  }
}

async function forward(stream: ReadableStream<Uint8Array>, sink: Sink): Promise<void> {
  for await (const chunk of stream) sink(chunk)
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // The group is empty, as expected.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Ends the processes when the runner has been killed. */
interface LastWill {
  /** Has these processes, and their groups, ended, instead of those named before. */
  revise(pids: readonly number[]): Promise<void>
  /** The runner ended everything itself: nothing is left to do. */
  revoke(): void
}

/**
 * A shell that waits on a pipe from the runner. However the runner ends, SIGKILL included, the pipe closes, and the
 * shell ends every process group that the last line named. No system call and no help from the services is needed.
 */
export function writeLastWill(graceMs: number): LastWill {
  const script = `while read -r line; do groups=$line; done
    [ "$groups" ] || exit 0
    kill -s TERM -- $groups; sleep ${graceMs / 1000}; kill -s KILL -- $groups`
  const shell = Bun.spawn(['sh', '-c', script], {
    detached: true,
    env: { PATH: process.env.PATH },
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  return {
    async revise(pids) {
      shell.stdin.write(`${pids.map((pid) => -pid).join(' ')}\n`)
      await shell.stdin.flush()
    },
    revoke: () => shell.kill('SIGKILL'),
  }
}
