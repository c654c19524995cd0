// Lists of versions: read, and refused.
#include "expect.h"
#include "versions/asked.h"
#include "versions/variable.h"

static lin_versions_asked asked;
static char text[512], message[160];

static const char *ask(const char *list) {
  snprintf(text, sizeof text, "%s", list);
  return lin_versions_ask(text, &asked, message);
}

static void test_lists(void) {
  EXPECT(ask("plain,needed,merge-loops,paper.O2") == NULL && asked.count == 3);
  EXPECT_TEXT(asked.name[0], "needed");
  EXPECT_TEXT(asked.name[1], "merge-loops");
  EXPECT_TEXT(asked.name[2], "paper.O2");
  EXPECT(ask("needed:plain:all") == NULL && asked.count == 2);
  EXPECT_TEXT(asked.name[1], "all");
  EXPECT(ask("needed") == NULL && asked.count == 1);
}

static void test_refused(void) {
  EXPECT_TEXT(ask("plain"), "no version is named beside the plain one");
  EXPECT_TEXT(ask(""), "'' can't be a version's name");
  EXPECT_TEXT(ask("needed,,all"), "'' can't be a version's name");
  EXPECT_TEXT(ask("needed,"), "'' can't be a version's name");
  EXPECT_TEXT(ask("a b"), "'a b' can't be a version's name");
  EXPECT_TEXT(ask("needed,paper,needed"), "version 'needed' stands there twice");
  EXPECT_TEXT(ask("plain,needed,plain"), "version 'plain' stands there twice");
  EXPECT_TEXT(ask("merge-loops,merge.loops"),
              "versions 'merge-loops' and 'merge.loops' would be called alike");
  EXPECT(ask("a,b,c,d,e,f,g,h,i,j,k,l,m,n,o") == NULL && asked.count == 15);
  EXPECT_TEXT(ask("a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p"), "over 15 versions beside the plain one");
}

static void test_words(void) {
  const char *at = "limit-depth.2.O3";
  size_t length = 0;
  const char *word = lin_versions_word(&at, &length);
  EXPECT(word != NULL && length == 11 && strncmp(word, "limit-depth", length) == 0);
  word = lin_versions_word(&at, &length);
  EXPECT(word != NULL && length == 1 && word[0] == '2');
  word = lin_versions_word(&at, &length);
  EXPECT(word != NULL && length == 2 && strncmp(word, "O3", length) == 0);
  EXPECT(lin_versions_word(&at, &length) == NULL);
}

static const char *check(const char *list) {
  static char said[400];
  snprintf(text, sizeof text, "%s", list);
  return lin_versions_check(text, &asked, said);
}

// The words are the options that versions have: llvm/run/option_table.c.
static void test_known_words(void) {
  EXPECT(check("needed.merge-loops,paper.O2,limit-depth.3.interleave,threshold.9.regardless") ==
         NULL);
  EXPECT(check("redirected,irreducible,all.O0.warps.8") == NULL && asked.count == 3);
  EXPECT(check("refilled,needed.refilled.refill-at.8.refill-every.2") == NULL && asked.count == 2);
  EXPECT(strncmp(check("needed,nothing"), "there is no version 'nothing'; there are", 40) == 0);
  EXPECT(check("limit-depth") != NULL && check("limit-depth.0") != NULL);
  EXPECT(check("redirected.refilled") != NULL && check("refilled.refill-at") != NULL);
  EXPECT(check("threshold.x") != NULL && check("needed..all") != NULL && check("none") != NULL);
  EXPECT_TEXT(check("needed,needed"), "version 'needed' stands there twice");
}

static const char *normal(const char *list) {
  snprintf(text, sizeof text, "%s", list);
  lin_variable_normalize(text);
  return text;
}

static void test_variable(void) {
  EXPECT_TEXT(normal(""), "");
  EXPECT_TEXT(normal("mode=paper,threshold=9;O2"), "mode=paper;threshold=9;O2");
  EXPECT_TEXT(normal("versions=plain,needed,merge-loops"), "versions=plain:needed:merge-loops");
  EXPECT_TEXT(normal("versions=plain,needed,threshold=9,meld"),
              "versions=plain:needed;threshold=9;meld");
  EXPECT_TEXT(normal("versions=needed:paper;meld,vote"), "versions=needed:paper;meld;vote");
  EXPECT_TEXT(normal("versions=needed,paper mode=none,force"),
              "versions=needed:paper;mode=none;force");
  EXPECT_TEXT(normal("mode=paper  O2"), "mode=paper;;O2");
  EXPECT_TEXT(normal("except=step:(anonymous namespace)::own mode=all"),
              "except=step:own;mode=all");
  EXPECT_TEXT(normal("versions=needed,,;force"), "versions=needed::;force");
}

int main(void) {
  test_variable();
  test_lists();
  test_refused();
  test_words();
  test_known_words();
  return expect_end();
}
