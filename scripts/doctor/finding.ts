/** One finding of an examination: fine, to be changed, or unsafe to work with. */
export interface Finding {
  verdict: 'ok' | 'warning' | 'wrong'
  /** The subject, in a word or two. */
  about: string
  /** The state and, unless it is fine, what to do. One line. */
  says: string
}

/** What is examined. */
export interface Patient {
  /** The folder with .env. */
  home: string
  env: NodeJS.ProcessEnv
  dataDir: string
  /** A web server with a correct clock; null for none. */
  timeUrl: string | null
}

/** Examines one part, without lasting changes. */
export type Examination = (patient: Patient) => Promise<Finding[]>

/** A subject's findings, by verdict. */
export const findingsAbout = (about: string) => ({
  ok: (says: string): Finding => ({ verdict: 'ok', about, says }),
  warning: (says: string): Finding => ({ verdict: 'warning', about, says }),
  wrong: (says: string): Finding => ({ verdict: 'wrong', about, says }),
})
