# A formula for your tap (Formula/conformance.rb in a repository homebrew-tap). Homebrew
# builds the program from the source of a release, also on Linux; replace the words in
# upper case:
#
#   curl -L https://github.com/OWNER/REPOSITORY/archive/refs/tags/VERSION.tar.gz | sha256sum
class Conformance < Formula
  desc "Tests whether a server keeps the contract in an OpenAPI document"
  homepage "https://github.com/OWNER/REPOSITORY"
  url "https://github.com/OWNER/REPOSITORY/archive/refs/tags/VERSION.tar.gz"
  sha256 "DIGEST"
  license "Apache-2.0"

  depends_on "go" => :build

  def install
    system "go", "build", *std_go_args(ldflags: "-s -w"), "./cmd/conformance"
    generate_completions_from_executable(bin/"conformance", "completion", shells: [:bash, :zsh, :fish])
    (man1/"conformance.1").write Utils.safe_popen_read(bin/"conformance", "man")
  end

  test do
    assert_match "conformant", shell_output("#{bin}/conformance run --effort smoke --quiet")
  end
end
