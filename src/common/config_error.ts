/** A setting has an unusable value. The message is one line and names the setting, never its value. */
export class ConfigError extends Error {
  /** Exit code of a program that cannot start because of it. */
  readonly exit = 2;

  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}
