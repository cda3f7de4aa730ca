/** What an examination found: all is well, it should be changed, or it keeps the platform from working safely. */
export interface Finding {
  verdict: 'ok' | 'warning' | 'wrong'
  /** The subject, in a word or two. */
  about: string
  /** What is the case and, unless that is well, what to do. One line. */
  says: string
}

/** What is examined. */
export interface Patient {
  /** The project's folder. */
  root: string
  env: NodeJS.ProcessEnv
  dataDir: string
  /** A web server whose clock is right; null to ask none. */
  timeUrl: string | null
}

/** Looks at one part, and changes nothing that stays. */
export type Examination = (patient: Patient) => Promise<Finding[]>

/** A subject's findings, by verdict. */
export const findingsAbout = (about: string) => ({
  ok: (says: string): Finding => ({ verdict: 'ok', about, says }),
  warning: (says: string): Finding => ({ verdict: 'warning', about, says }),
  wrong: (says: string): Finding => ({ verdict: 'wrong', about, says }),
})

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
