// A provider that fails on two answers.
module.exports = class {
  id() {
    return 'failing';
  }
  async callApi(prompt) {
    return /Answer [24]\b/.test(prompt) ? { error: 'no answer' } : { output: prompt };
  }
};
